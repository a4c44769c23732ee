-- The life of the ledger's parts. A *part* is a partition of `posting`: 131,072 journals wide, whatever those journals hold. Where a
-- day pays everybody, a part would grow for months, and each payment dirty another page of its index; so a part that is full is turned:
-- the next journal begins the next part. Owners call these functions, at the start and by the hour (`keepLedger`).

-- Adds partitions to a table until there are `wanted`. A partition that is written by its own name escapes the triggers of the whole
-- table, so each has one that refuses that. Made apart and then attached: readers and writers of the whole go on meanwhile. They are
-- counted by the number in their names, because the first of `posting` go to the archive.
CREATE OR REPLACE FUNCTION extend_partitions(whole regclass, width bigint, wanted bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE next bigint := (SELECT coalesce(max(substring(inhrelid::regclass::text FROM '_([0-9]+)$')::bigint) + 1, 0) FROM pg_inherits WHERE inhparent = whole);
BEGIN
  WHILE next < wanted LOOP
    EXECUTE format('CREATE TABLE %s_%s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES INCLUDING STORAGE)', whole, next, whole);
    EXECUTE format('CREATE TRIGGER %s_is_written_whole BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s_%s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', whole, whole, next);
    EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s_%s FOR VALUES FROM (%s) TO (%s)', whole, whole, next, next * width, (next + 1) * width);
    next := next + 1;
  END LOOP;
END $$;

-- The part in which the latest journal lies.
CREATE FUNCTION ledger_part() RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT coalesce(max(id), 0) / 131072 FROM journal
$$;

-- Where numbers run past the last partition, writing fails. Tables that have less than one whole partition left, beyond the one in use.
CREATE FUNCTION partitions_short() RETURNS SETOF text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT t.whole FROM (VALUES ('posting', (SELECT ledger_part())),
      ('payout_page', (SELECT coalesce(max(id), 0) / 8192 FROM payout_run)),
      ('payout_item', (SELECT coalesce(max(id), 0) / 8192 FROM payout_run)),
      ('payout_missed', (SELECT coalesce(max(id), 0) / 8192 FROM payout_run))) AS t (whole, used)
  WHERE to_regclass(t.whole || '_' || t.used) IS NULL OR to_regclass(t.whole || '_' || t.used + 1) IS NULL
  ORDER BY t.whole
$$;

-- Begins the next part where the present one holds `full_at` postings. True if it did. What is being posted meanwhile under a journal of
-- the part goes where that belongs.
CREATE FUNCTION turn_ledger_part(full_at bigint) RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  part bigint := ledger_part();
  postings bigint;
  next bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM posting_%s', part) INTO postings;
  IF postings < full_at THEN RETURN false; END IF;
  IF to_regclass(format('posting_%s', part + 1)) IS NULL THEN
    RAISE EXCEPTION 'the part after % of the ledger has not been made', part USING ERRCODE = 'check_violation', CONSTRAINT = 'parts_are_made_ahead';
  END IF;
  -- Turned before, and no journal since.
  next := nextval(pg_get_serial_sequence('journal', 'id'));
  IF next / 131072 > part THEN RETURN false; END IF;
  PERFORM setval(pg_get_serial_sequence('journal', 'id'), (part + 1) * 131072, false);
  RETURN true;
END $$;

REVOKE ALL ON FUNCTION turn_ledger_part(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_part(), partitions_short() TO aval_server;
