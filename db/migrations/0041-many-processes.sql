-- Several processes of a kind on one database: what they count together, and which gateway leads.

-- How often a call was made, for limits that hold across processes. Not written to the log of the database: after a crash of its server,
-- and on a stand-by that takes over, everything is counted from zero again. `rate-limiter-flexible` writes it, and names the columns.
CREATE UNLOGGED TABLE call_count (
  -- A hash under a key of the server's: of the route, the limit, and whom or what it counts.
  key text PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 80),
  points integer NOT NULL,
  -- Milliseconds of the epoch.
  expire bigint NOT NULL
);
CREATE INDEX call_count_by_end ON call_count (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON call_count TO aval_api;
GRANT SELECT, DELETE ON call_count TO aval_worker;

-- Which gateway leads. Several may run: one reads the chain and sends, the others stand by. Who leads says so again every few seconds; who
-- does not for too long, or has left, is followed by another one under the next epoch. Times are this database's.
CREATE TABLE gateway_lease (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  epoch bigint NOT NULL CHECK (epoch >= 0),
  -- A process, by a name that it gives itself at its start: machine, process, and a number by chance. Empty before the first.
  holder text NOT NULL CHECK (holder ~ '^[A-Za-z0-9./-]{0,120}$'),
  until timestamptz NOT NULL,
  -- The session over which it was renewed last. Once that is gone, its process is taken to be.
  backend integer
);
INSERT INTO gateway_lease (epoch, holder, until) VALUES (0, '', '-infinity');
CREATE FUNCTION keep_gateway_lease() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.epoch < OLD.epoch OR (NEW.epoch = OLD.epoch AND NEW.holder <> OLD.holder) THEN
    RAISE EXCEPTION 'the gateway''s lease goes forward' USING ERRCODE = 'check_violation', CONSTRAINT = 'gateway_lease_goes_forward';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER gateway_lease_goes_forward BEFORE UPDATE ON gateway_lease FOR EACH ROW EXECUTE FUNCTION keep_gateway_lease();
CREATE TRIGGER gateway_lease_is_kept BEFORE DELETE OR TRUNCATE ON gateway_lease FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Takes the lease, or renews it. Answers the epoch in which `who` leads; null where another one does.
CREATE FUNCTION hold_gateway_lease(who text, seconds integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  held public.gateway_lease;
  mine bigint;
BEGIN
  IF who = '' OR seconds NOT BETWEEN 1 AND 600 THEN RAISE EXCEPTION 'no lease for "%" over % seconds', who, seconds; END IF;
  -- Waits for nobody: what the holder has under way keeps the row's key only.
  UPDATE public.gateway_lease SET until = clock_timestamp() + make_interval(secs => seconds), backend = pg_backend_pid()
    WHERE holder = who RETURNING epoch INTO mine;
  IF FOUND THEN RETURN mine; END IF;
  -- Looked at before it is locked, so that whoever stands by disturbs nobody; and again afterwards.
  FOR look IN 1 .. 2 LOOP
    IF look = 1 THEN SELECT * INTO held FROM public.gateway_lease;
    -- Waits for every transaction that was begun under the epoch that ends here; none is begun under it afterwards.
    ELSE SELECT * INTO held FROM public.gateway_lease FOR UPDATE; END IF;
    IF held.until > clock_timestamp() AND EXISTS (SELECT FROM pg_stat_activity WHERE pid = held.backend) THEN RETURN NULL; END IF;
  END LOOP;
  UPDATE public.gateway_lease SET epoch = held.epoch + 1, holder = who, until = clock_timestamp() + make_interval(secs => seconds),
    backend = pg_backend_pid();
  RETURN held.epoch + 1;
END $$;

-- Leaves it to the next one at once.
CREATE FUNCTION release_gateway_lease(who text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ UPDATE public.gateway_lease SET until = '-infinity', backend = NULL WHERE holder = who $$;

-- The fence. A gateway says in `aval.gateway_term`, for as long as a connection lasts, under which epoch it writes; what it writes under
-- one that is over is refused, however late it wakes. Its transaction keeps the row's key, so that no other epoch begins before it ends.
-- Without a word it is the epoch before the first, in which there was none to stand back for.
CREATE FUNCTION fence_gateway() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF session_user <> current_database() || '_gateway_login' THEN RETURN NULL; END IF;
  PERFORM FROM public.gateway_lease
    WHERE epoch || ':' || holder = coalesce(nullif(current_setting('aval.gateway_term', true), ''), '0:') FOR KEY SHARE;
  IF NOT FOUND THEN RAISE EXCEPTION 'another gateway leads' USING ERRCODE = 'AV069', CONSTRAINT = 'gateway_leads'; END IF;
  RETURN NULL;
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['chain_cursor', 'incoming_transfer', 'unconfirmed_transfer', 'unexplained_outflow', 'outgoing_transfer',
      'custody_address', 'custody_reading', 'withdrawal_delay', 'approval'] LOOP
    EXECUTE format('CREATE TRIGGER a_gateway_leads BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway()', name);
  END LOOP;
  GRANT CREATE ON SCHEMA public TO aval_ledger;
  REVOKE ALL ON FUNCTION hold_gateway_lease, release_gateway_lease, fence_gateway, keep_gateway_lease FROM PUBLIC;
  ALTER FUNCTION hold_gateway_lease OWNER TO aval_ledger;
  ALTER FUNCTION release_gateway_lease OWNER TO aval_ledger;
  ALTER FUNCTION fence_gateway OWNER TO aval_ledger;
  REVOKE CREATE ON SCHEMA public FROM aval_ledger;
END $$;
GRANT SELECT, UPDATE ON gateway_lease TO aval_ledger;
GRANT SELECT ON gateway_lease TO aval_gateway, aval_api;
GRANT EXECUTE ON FUNCTION hold_gateway_lease(text, integer), release_gateway_lease(text) TO aval_gateway;
