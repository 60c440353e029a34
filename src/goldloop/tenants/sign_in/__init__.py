"""Sign-in of people: passwords, invitations, sign-in sessions, and the limit on attempts."""
