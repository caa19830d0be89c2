"""Where units are worked on: processes of this machine, or a Ray cluster."""
