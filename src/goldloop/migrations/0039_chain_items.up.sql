-- What is to be looked at again for more than one reason is found by what it is.
CREATE INDEX chain_items_ref ON chain_items (tenant_id, ref, created_at, id);
