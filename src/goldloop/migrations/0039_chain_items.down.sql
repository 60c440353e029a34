DROP INDEX chain_items_ref;
