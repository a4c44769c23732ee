-- The job queue: graphile-worker's schema, which it fills itself. The server adds and takes jobs and cannot change the schema, so
-- no code of its own runs as another role; the gateway and the signer do not reach it.

CREATE SCHEMA graphile_worker AUTHORIZATION aval_jobs;
GRANT USAGE ON SCHEMA graphile_worker TO aval_server;

-- The only jobs that a function of `aval_ledger` adds.
CREATE FUNCTION enqueue_credit(of_txid text, of_position integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('deposits.credit', json_build_object('txid', of_txid, 'position', of_position),
    job_key => 'credit:' || of_txid || ':' || of_position);
END $$;
CREATE FUNCTION enqueue_settlement(of_txid text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('outgoing_transfers.settle', json_build_object('txid', of_txid), job_key => 'settle:' || of_txid);
END $$;
CREATE FUNCTION enqueue_opening(of_address text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('custody.book_opening', json_build_object('address', of_address), job_key => 'opening:' || of_address);
END $$;
CREATE FUNCTION enqueue_resumption() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('payout_runs.resume', '{}', queue_name => 'payouts', job_key => 'payout_runs.resume');
END $$;

GRANT EXECUTE ON FUNCTION enqueue_credit(text, integer), enqueue_settlement(text), enqueue_opening(text), enqueue_resumption() TO aval_ledger;
