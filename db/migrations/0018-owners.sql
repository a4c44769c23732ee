-- Owners: every function with raised privileges leaves the owner of the tables, and PUBLIC may call none. A migration that adds such
-- a function does the same; a test refuses one that does not.

DO $$
DECLARE name regprocedure;
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_ledger, aval_jobs;
  FOR name IN SELECT oid::regprocedure FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND (prosecdef OR proname IN ('move_holding', 'post_event', 'move_receivables', 'move_house', 'move_hold', 'close_unpaid',
        'open_invoice', 'company_deposit_kind', 'cut_batches', 'post_pages', 'post_items', 'held_run')) LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', name, CASE WHEN name::text LIKE 'enqueue%' THEN 'aval_jobs' ELSE 'aval_ledger' END);
  END LOOP;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger, aval_jobs;
END $$;
