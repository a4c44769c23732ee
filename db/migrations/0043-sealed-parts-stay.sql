-- A part of the ledger is sealed as soon as its days are over, and archived two months later (decision 074). Until now it was both at once, so
-- that a check which goes on from the seals read two months of postings: ten minutes at a million members. Between the two, a part is read as
-- before, takes no posting, and what is not a payout stands in `archived_posting` as well.

-- Sealed parts whose postings are in the archive alone. Every part that is sealed today is.
CREATE TABLE archived_part (
  part bigint PRIMARY KEY REFERENCES ledger_seal,
  archived_at timestamptz NOT NULL
);
INSERT INTO archived_part SELECT part, sealed_at FROM ledger_seal;
CREATE TRIGGER archived_part_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archived_part
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Every journal below is in the archive alone; every journal below is sealed.
CREATE FUNCTION archived_until() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT coalesce(max(part) + 1, 0) * 131072 FROM archived_part
$$;
CREATE FUNCTION sealed_until() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
  SELECT coalesce(max(until_journal), 0) FROM ledger_seal
$$;

CREATE OR REPLACE VIEW ledger_open.posting AS
  SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM public.posting WHERE journal_id >= (SELECT public.sealed_until())
  UNION ALL SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM public.archived_posting;
-- As members read it: a part that is sealed and not archived in its own rows.
CREATE OR REPLACE VIEW ledger_whole.posting AS
  SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM public.posting
  UNION ALL SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM public.archived_posting WHERE journal_id < (SELECT public.archived_until())
  UNION ALL SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM ledger_whole.archived;

-- The payouts of a part by columns, as the archive keeps them: from there, or of its rows while it has them.
CREATE FUNCTION payouts_of_part(of_part bigint) RETURNS SETOF archived_payout LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT * FROM archived_payout WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072
  UNION ALL
  SELECT (member_id / 1024)::integer, journal_id, kind, at, array_agg((member_id % 1024)::smallint ORDER BY member_id, leg),
    CASE WHEN max(leg) > 0 THEN array_agg(leg ORDER BY member_id, leg) END, array_agg(amount ORDER BY member_id, leg)
  FROM posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND kind IN ('passive', 'direct', 'master', 'binary')
  GROUP BY journal_id, kind, member_id / 1024, at
$$;
CREATE OR REPLACE FUNCTION archived_content_hash(of_part bigint) RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT encode(sha256(netstrings(
    (SELECT string_agg(encode(sha256(netstrings(journal_id::text, kind::text, block::text, microseconds(at), members::text, legs::text, amounts::text)), 'hex'), ' '
        ORDER BY journal_id, kind, block) FROM payouts_of_part(of_part)),
    (SELECT string_agg(posted, ' ' ORDER BY journal_id) FROM (
      SELECT journal_id, encode(sha256(convert_to(string_agg(concat_ws(' ', member_id, leg, kind, source, destination, amount, microseconds(at)), '|'
          ORDER BY member_id, leg), 'UTF8')), 'hex') AS posted
      FROM archived_posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 GROUP BY journal_id) journals))), 'hex')
$$;

-- How many payouts, or other postings, of a part that still has its rows differ from what was copied out of it.
CREATE FUNCTION copied_otherwise(of_part bigint, of_payouts boolean) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH was AS (SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM posting
      WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND (kind IN ('passive', 'direct', 'master', 'binary')) = of_payouts),
    kept AS (SELECT * FROM archived_posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND NOT of_payouts
      UNION ALL SELECT * FROM ledger_whole.archived WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND of_payouts)
  SELECT (SELECT count(*) FROM (SELECT * FROM was EXCEPT ALL SELECT * FROM kept) lost) + abs((SELECT count(*) FROM kept) - (SELECT count(*) FROM was))
$$;

-- Adds what the part paid to what the parts before it paid.
CREATE OR REPLACE FUNCTION add_sealed_earnings(of_part bigint) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
  WITH paid AS (
    SELECT member_id, coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0) AS passive, count(*) FILTER (WHERE kind = 'passive') AS passive_days,
      coalesce(sum(amount) FILTER (WHERE kind IN ('direct', 'master')), 0) AS commission,
      coalesce(sum(amount) FILTER (WHERE kind = 'binary'), 0) AS matched, 0 AS points
    FROM posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND kind IN ('passive', 'direct', 'master', 'binary')
    GROUP BY member_id
    UNION ALL SELECT i.member_id, 0, 0, 0, 0, sum(i.basis) FROM payout_item i JOIN payout_run r ON r.id = i.run_id
      WHERE i.kind = 'binary' AND r.journal_id >= of_part * 131072 AND r.journal_id < (of_part + 1) * 131072 GROUP BY i.member_id
    UNION ALL SELECT * FROM ledger_open.earned_before
  ), total AS (
    SELECT member_id, sum(passive)::bigint AS passive, sum(passive_days)::integer AS passive_days, sum(commission)::bigint AS commission,
      sum(matched)::bigint AS matched, sum(points)::bigint AS points FROM paid GROUP BY member_id
  ), place AS (
    SELECT b.block, p.place FROM (SELECT DISTINCT (member_id / 1024)::integer AS block FROM total) b, generate_series(0, 1023) AS p (place)
  )
  INSERT INTO sealed_earning (block, passive, passive_days, commission, matched, points)
  SELECT p.block, array_agg(coalesce(t.passive, 0) ORDER BY p.place), array_agg(coalesce(t.passive_days, 0) ORDER BY p.place),
    array_agg(coalesce(t.commission, 0) ORDER BY p.place), array_agg(coalesce(t.matched, 0) ORDER BY p.place), array_agg(coalesce(t.points, 0) ORDER BY p.place)
  FROM place p LEFT JOIN total t ON t.member_id = p.block::bigint * 1024 + p.place GROUP BY p.block
  ON CONFLICT (block) DO UPDATE SET passive = excluded.passive, passive_days = excluded.passive_days, commission = excluded.commission,
    matched = excluded.matched, points = excluded.points
$$;

-- Runs that are not paid although the part has one that stands on the same day or a later one. One that was held, and is paid with a journal of
-- a later part, holds no seal up any longer: until now it did for ever.
CREATE OR REPLACE FUNCTION runs_before_seal(of_part bigint) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT count(*) FROM payout_run WHERE state NOT IN ('done', 'cancelled')
    AND cutoff_at <= (SELECT max(cutoff_at) FROM payout_run WHERE kind <> 'direct' AND journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072)
$$;

-- Seals the oldest part that is not, if it has been left behind, every run of its days is done, and its latest journal is dated `keep` before
-- the latest of all. Answers its number; null if there is nothing to seal, or money is being paid at the moment. Readers of the part go on;
-- writers of it are waited for first, and at the end it refuses more.
CREATE OR REPLACE FUNCTION seal_ledger_part(keep interval, now timestamptz) RETURNS bigint LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  of_part bigint;
  latest timestamptz;
  sealed ledger_seal;
BEGIN
  LOCK TABLE ledger_seal IN SHARE ROW EXCLUSIVE MODE;
  of_part := (SELECT coalesce(max(part) + 1, 0) FROM ledger_seal);
  IF of_part >= ledger_part() OR EXISTS (SELECT FROM payout_run WHERE state IN ('released', 'posting'))
    OR runs_before_seal(of_part) > 0 THEN RETURN NULL; END IF;
  latest := (SELECT max(at) FROM journal WHERE id >= of_part * 131072 AND id < (of_part + 1) * 131072);
  IF latest > (SELECT max(at) FROM journal WHERE id > (SELECT max(id) FROM journal) - 1000) - keep THEN RETURN NULL; END IF;
  EXECUTE format('LOCK TABLE posting_%s IN SHARE ROW EXCLUSIVE MODE', of_part);
  INSERT INTO archived_posting SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM posting
    WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 AND kind NOT IN ('passive', 'direct', 'master', 'binary')
    ORDER BY journal_id, member_id, leg;
  IF copied_otherwise(of_part, false) <> 0 THEN
    RAISE EXCEPTION 'the archive of part % differs from it', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'archive_is_whole';
  END IF;
  INSERT INTO ledger_seal_sum (part, kind, postings, amount) SELECT of_part, kind, count(*), sum(amount) FROM posting
    WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 GROUP BY kind;
  PERFORM add_sealed_earnings(of_part);
  sealed := ROW(of_part, (of_part + 1) * 131072, now, archived_content_hash(of_part), sealed_earnings_hash(),
    coalesce((SELECT hash FROM ledger_seal WHERE part = of_part - 1), ''), '');
  sealed.hash := ledger_seal_hash(sealed);
  INSERT INTO ledger_seal SELECT sealed.*;
  -- The audit trail's head is signed: a chain of seals that somebody computed again does not agree with it.
  PERFORM record_audit(now, NULL, 'ledger.seal', 'done', 'ledger_part:' || of_part, jsonb_build_object('hash', sealed.hash));
  -- Not of the rows that are there, but of every one that comes.
  EXECUTE format('ALTER TABLE posting_%s ADD CONSTRAINT part_is_sealed CHECK (false) NOT VALID', of_part);
  RETURN of_part;
END $$;

DROP FUNCTION archive_ledger_part(bigint);

-- Moves the oldest sealed part into the archive, if its latest journal is dated `keep` before the latest of all: its payouts go there, all of it
-- is compared, posting by posting, and the part is dropped. Answers its number, or null.
CREATE FUNCTION archive_ledger_part(keep interval, now timestamptz) RETURNS bigint LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  of_part bigint;
  latest timestamptz;
BEGIN
  LOCK TABLE archived_part IN SHARE ROW EXCLUSIVE MODE;
  of_part := (SELECT coalesce(max(part) + 1, 0) FROM archived_part);
  IF NOT EXISTS (SELECT FROM ledger_seal WHERE part = of_part) THEN RETURN NULL; END IF;
  latest := (SELECT max(at) FROM journal WHERE id >= of_part * 131072 AND id < (of_part + 1) * 131072);
  IF latest > (SELECT max(at) FROM journal WHERE id > (SELECT max(id) FROM journal) - 1000) - keep THEN RETURN NULL; END IF;
  IF archived_content_hash(of_part) <> (SELECT content_hash FROM ledger_seal WHERE part = of_part) THEN
    RAISE EXCEPTION 'part % has other postings than were sealed', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'part_is_as_sealed';
  END IF;
  INSERT INTO archived_payout (block, journal_id, kind, at, members, legs, amounts)
    SELECT block, journal_id, kind, at, members, legs, amounts FROM payouts_of_part(of_part) ORDER BY journal_id, kind, block;
  IF copied_otherwise(of_part, false) + copied_otherwise(of_part, true) <> 0 THEN
    RAISE EXCEPTION 'the archive of part % differs from it', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'archive_is_whole';
  END IF;
  INSERT INTO archived_part VALUES (of_part, now);
  EXECUTE format('DROP TABLE posting_%s', of_part);
  RETURN of_part;
END $$;

REVOKE ALL ON FUNCTION archive_ledger_part(interval, timestamptz) FROM PUBLIC;
GRANT SELECT ON archived_part TO aval_server;
GRANT EXECUTE ON FUNCTION archived_until(), sealed_until(), payouts_of_part(bigint), copied_otherwise(bigint, boolean) TO aval_server;
