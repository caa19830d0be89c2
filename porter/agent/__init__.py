"""The LLM loop: model clients, prompts, budgets, trajectories."""
