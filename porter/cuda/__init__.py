"""The front end: CUDA text to a TranslationUnit and to typed kernel IR."""
