-- In which time zone a member reads times: a name of the IANA's list, as the server checked it. NULL: none was said yet, and the plan's counts.
ALTER TABLE member ADD COLUMN time_zone text CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
ALTER TABLE member ADD CONSTRAINT member_closed_is_nowhere CHECK (closed_at IS NULL OR time_zone IS NULL);

-- Where somebody lives leaves the row with the rest of the person.
CREATE FUNCTION forget_time_zone() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.time_zone := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER member_closed_goes_nowhere BEFORE UPDATE ON member
  FOR EACH ROW WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION forget_time_zone();

GRANT INSERT (time_zone), UPDATE (time_zone) ON member TO aval_server;

-- That a withdrawal is approved, and that it is on its way, is told by a job that reads the rows; one for all that wait. Nothing is written where
-- one waits, because transactions that add it would wait for each other; what it misses, the next minute's finds.
CREATE FUNCTION enqueue_withdrawal_stages() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM graphile_worker.jobs WHERE key = 'withdrawals.announce' AND locked_at IS NULL AND attempts = 0) THEN
    PERFORM graphile_worker.add_job('withdrawals.announce', '{}', job_key => 'withdrawals.announce', job_key_mode => 'preserve_run_at');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER withdrawal_approved_is_told AFTER UPDATE OF state ON withdrawal FOR EACH ROW
  WHEN (NEW.state = 'approved' AND OLD.state <> 'approved') EXECUTE FUNCTION enqueue_withdrawal_stages();
CREATE TRIGGER outgoing_transfer_sent_is_told AFTER UPDATE OF broadcast_at ON outgoing_transfer FOR EACH ROW
  WHEN (NEW.purpose = 'withdrawal' AND OLD.broadcast_at IS NULL AND NEW.broadcast_at IS NOT NULL) EXECUTE FUNCTION enqueue_withdrawal_stages();

DO $$
BEGIN
  GRANT CREATE ON SCHEMA public TO aval_jobs;
  REVOKE ALL ON FUNCTION enqueue_withdrawal_stages() FROM PUBLIC;
  ALTER FUNCTION enqueue_withdrawal_stages() OWNER TO aval_jobs;
  REVOKE CREATE ON SCHEMA public FROM aval_jobs;
END $$;
