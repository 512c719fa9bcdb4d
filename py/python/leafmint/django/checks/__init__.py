"""What the system checks of Django report about a project."""
