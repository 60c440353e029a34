"""Identities: who somebody is at a sign-in provider (OpenID Connect). In flow a provider's claims; out flow accounts that
they are linked to, and memberships with roles that follow from the claims."""
