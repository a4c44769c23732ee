-- A trace goes on where a row does: what was written in a transaction that is part of one keeps its name, as W3C writes it. Programs say
-- it by `aval.traceparent`, where they trace at all; otherwise these columns stay empty and no job carries anything. It is no secret and
-- decides nothing, so whoever writes something else there spoils a picture and no more.

CREATE FUNCTION current_traceparent() RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT substring(current_setting('aval.traceparent', true) FROM '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$') $$;

-- A job's payload, with the trace that it goes on in.
CREATE FUNCTION traced(payload json, its_trace text DEFAULT current_traceparent()) RETURNS json
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$ SELECT CASE WHEN its_trace IS NULL THEN payload ELSE (payload::jsonb || jsonb_build_object('traceparent', its_trace))::json END $$;

REVOKE ALL ON FUNCTION current_traceparent(), traced(json, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION current_traceparent(), traced(json, text) TO aval_server, aval_gateway, aval_ledger, aval_jobs;

ALTER TABLE withdrawal ADD COLUMN traceparent text;
ALTER TABLE withdrawal ALTER COLUMN traceparent SET DEFAULT current_traceparent();
GRANT SELECT (traceparent) ON withdrawal TO aval_gateway;
-- Of the withdrawal that it pays; a sweep or a top-up has none.
ALTER TABLE outgoing_transfer ADD COLUMN traceparent text;

CREATE OR REPLACE FUNCTION enqueue_credit(of_txid text, of_position integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('deposits.credit', public.traced(json_build_object('txid', of_txid, 'position', of_position)),
    job_key => 'credit:' || of_txid || ':' || of_position);
END $$;
-- In the trace of the transfer, not in that of the blocks that were read together.
GRANT SELECT (txid, traceparent) ON outgoing_transfer TO aval_jobs;
CREATE OR REPLACE FUNCTION enqueue_settlement(of_txid text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM graphile_worker.add_job('outgoing_transfers.settle',
    public.traced(json_build_object('txid', of_txid), (SELECT traceparent FROM public.outgoing_transfer WHERE txid = of_txid)), job_key => 'settle:' || of_txid);
END $$;

-- A withdrawal's transfer goes on in its trace. A trigger, so that the functions that let money go stay as they are.
CREATE FUNCTION outgoing_transfer_keeps_trace() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  SELECT traceparent INTO NEW.traceparent FROM withdrawal WHERE member_id = NEW.member_id AND id = NEW.withdrawal_id;
  RETURN NEW;
END $$;
CREATE TRIGGER outgoing_transfer_keeps_trace BEFORE INSERT ON outgoing_transfer FOR EACH ROW WHEN (NEW.purpose = 'withdrawal')
  EXECUTE FUNCTION outgoing_transfer_keeps_trace();
