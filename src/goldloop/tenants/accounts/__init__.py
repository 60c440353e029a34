"""One's own account: where it is signed in, its second factor, and the identities that are linked to it."""
