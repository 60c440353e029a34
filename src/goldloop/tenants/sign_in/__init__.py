"""How people sign in: passwords, invitations, sessions, and the limit on attempts."""
