-- Sealed parts of the ledger. A part whose journals are all old is *sealed*: its sums by kind and a hash of every posting go into a chain,
-- in which each seal hashes the one before; and its postings go to the archive. Payouts, nine in ten, are kept there by columns, a block of
-- 1,024 members a row, as the pages of a passive run are (decision 064). The other postings stay rows. Nothing is left out: the part is
-- dropped in the transaction that compared what is in the archive with it, posting by posting.

-- Postings of sealed parts that are no payouts: what came in, was invested, withdrawn, taken back.
CREATE TABLE archived_posting (
  member_id bigint NOT NULL,
  journal_id bigint NOT NULL,
  leg integer NOT NULL,
  kind posting_kind NOT NULL CHECK (kind NOT IN ('passive', 'direct', 'master', 'binary')),
  source ledger_account NOT NULL,
  destination ledger_account NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (member_id, journal_id, leg)
);
-- Parts come one after the other: a summary of each stretch finds one.
CREATE INDEX archived_posting_by_journal ON archived_posting USING brin (journal_id) WITH (pages_per_range = 16);

-- Payouts of sealed parts. What the kind says of accounts is not repeated, and members are written as their place in the block. Blocks lie
-- in partitions of 64 parts each, which may be moved to another tablespace.
CREATE TABLE archived_payout (
  block integer NOT NULL,
  journal_id bigint NOT NULL,
  kind posting_kind NOT NULL CHECK (kind IN ('passive', 'direct', 'master', 'binary')),
  at timestamptz NOT NULL,
  members smallint[] NOT NULL,
  -- Null where all are 0.
  legs integer[],
  amounts bigint[] NOT NULL,
  PRIMARY KEY (block, journal_id, kind)
) PARTITION BY RANGE (journal_id);

-- One row a sealed part.
CREATE TABLE ledger_seal (
  part bigint PRIMARY KEY,
  -- Every journal below is sealed.
  until_journal bigint NOT NULL,
  sealed_at timestamptz NOT NULL,
  -- Of the archived postings themselves.
  content_hash text NOT NULL,
  -- Of `sealed_earning` as it was then: of the last seal, what is there now.
  earnings_hash text NOT NULL,
  previous_hash text NOT NULL,
  hash text NOT NULL
);
CREATE TABLE ledger_seal_sum (
  part bigint NOT NULL,
  kind posting_kind NOT NULL,
  postings bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (part, kind)
);

-- What members were paid by all sealed parts together, a block of 1,024 ids a row: from here a check goes on.
CREATE TABLE sealed_earning (
  block integer PRIMARY KEY,
  passive bigint[] NOT NULL,
  passive_days integer[] NOT NULL,
  commission bigint[] NOT NULL,
  matched bigint[] NOT NULL,
  -- What the matches took from each leg.
  points bigint[] NOT NULL
);

CREATE TRIGGER archived_posting_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archived_posting
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER archived_payout_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archived_payout
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seal_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seal
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_seal_sum_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seal_sum
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER sealed_earning_is_kept BEFORE DELETE OR TRUNCATE ON sealed_earning
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE OR REPLACE FUNCTION extend_all_partitions() RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM extend_partitions('posting', 131072, (SELECT coalesce(max(id), 0) / 131072 + 5 FROM journal));
  PERFORM extend_partitions('archived_payout', 8388608, (SELECT coalesce(max(id), 0) / 8388608 + 2 FROM journal));
  PERFORM extend_partitions(whole, 8192, (SELECT coalesce(max(id), 0) / 8192 + 3 FROM payout_run))
  FROM unnest(ARRAY['payout_page', 'payout_item', 'payout_missed']::regclass[]) AS whole;
END $$;
SELECT extend_all_partitions();

-- Two readings of the ledger under the names of its tables, for the check: `ledger_open` goes on from the seals and has every posting but
-- the sealed payouts, `ledger_whole` has all.
CREATE SCHEMA ledger_open;
CREATE SCHEMA ledger_whole;

CREATE VIEW ledger_open.posting AS
  SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM public.posting
  UNION ALL SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM public.archived_posting;
-- A run that was cancelled belongs with those that were paid after it.
CREATE VIEW ledger_open.payout_run AS
  WITH sealed AS (SELECT coalesce(max(until_journal), 0) AS until FROM public.ledger_seal)
  SELECT r.* FROM public.payout_run r, sealed WHERE r.journal_id >= sealed.until OR (r.journal_id IS NULL
    AND (r.state <> 'cancelled' OR r.id > (SELECT coalesce(max(id), 0) FROM public.payout_run s WHERE s.journal_id < sealed.until)));
CREATE VIEW ledger_open.payout_page AS SELECT * FROM public.payout_page
  WHERE run_id >= (SELECT min(id) FROM ledger_open.payout_run) AND run_id IN (SELECT id FROM ledger_open.payout_run);
CREATE VIEW ledger_open.payout_item AS SELECT * FROM public.payout_item
  WHERE run_id >= (SELECT min(id) FROM ledger_open.payout_run) AND run_id IN (SELECT id FROM ledger_open.payout_run);
CREATE VIEW ledger_open.payout_missed AS SELECT * FROM public.payout_missed
  WHERE run_id >= (SELECT min(id) FROM ledger_open.payout_run) AND run_id IN (SELECT id FROM ledger_open.payout_run);
-- By member, where there is any.
CREATE VIEW ledger_open.earned_before AS
  SELECT e.block::bigint * 1024 + i.place - 1 AS member_id, i.passive, i.passive_days, i.commission, i.matched, i.points
  FROM public.sealed_earning e, unnest(e.passive, e.passive_days, e.commission, e.matched, e.points)
    WITH ORDINALITY AS i (passive, passive_days, commission, matched, points, place)
  WHERE i.passive_days > 0 OR i.commission > 0 OR i.matched > 0;
-- Payouts by kind.
CREATE VIEW ledger_open.paid_before AS
  SELECT kind, sum(postings)::bigint AS postings, sum(amount)::bigint AS amount FROM public.ledger_seal_sum
  WHERE kind IN ('passive', 'direct', 'master', 'binary') GROUP BY kind;

CREATE VIEW ledger_whole.archived AS
  SELECT a.block::bigint * 1024 + i.member AS member_id, a.journal_id, coalesce(i.leg, 0) AS leg, a.kind, c.source, c.destination, i.amount, a.at
  FROM public.archived_payout a JOIN public.posting_chart c ON c.kind = a.kind, unnest(a.members, a.legs, a.amounts) AS i (member, leg, amount);
CREATE VIEW ledger_whole.posting AS
  SELECT * FROM ledger_open.posting
  UNION ALL SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM ledger_whole.archived;
CREATE VIEW ledger_whole.earned_before AS SELECT * FROM ledger_open.earned_before WHERE false;
CREATE VIEW ledger_whole.paid_before AS SELECT * FROM ledger_open.paid_before WHERE false;

-- What the archive has of a part, hashed: block by block and journal by journal, then all of it.
CREATE FUNCTION archived_content_hash(of_part bigint) RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT encode(sha256(netstrings(
    (SELECT string_agg(encode(sha256(netstrings(journal_id::text, kind::text, block::text, microseconds(at), members::text, legs::text, amounts::text)), 'hex'), ' '
        ORDER BY journal_id, kind, block)
      FROM archived_payout WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072),
    (SELECT string_agg(posted, ' ' ORDER BY journal_id) FROM (
      SELECT journal_id, encode(sha256(convert_to(string_agg(concat_ws(' ', member_id, leg, kind, source, destination, amount, microseconds(at)), '|'
          ORDER BY member_id, leg), 'UTF8')), 'hex') AS posted
      FROM archived_posting WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 GROUP BY journal_id) journals))), 'hex')
$$;
CREATE FUNCTION sealed_earnings_hash() RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT encode(sha256(convert_to(coalesce(string_agg(encode(sha256(netstrings(block::text, passive::text, passive_days::text, commission::text, matched::text,
    points::text)), 'hex'), ' ' ORDER BY block), ''), 'UTF8')), 'hex') FROM sealed_earning
$$;
CREATE FUNCTION ledger_seal_hash(s ledger_seal) RETURNS text LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT encode(sha256(netstrings(s.part::text, s.until_journal::text, microseconds(s.sealed_at), s.content_hash, s.earnings_hash, s.previous_hash,
    (SELECT string_agg(concat_ws(' ', kind, postings, amount), '|' ORDER BY kind::text COLLATE "C") FROM ledger_seal_sum WHERE part = s.part))), 'hex')
$$;

-- Copies a part into the archive, and compares.
CREATE FUNCTION archive_ledger_part(of_part bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE differing bigint;
BEGIN
  EXECUTE format($copy$
    INSERT INTO archived_payout (block, journal_id, kind, at, members, legs, amounts)
    SELECT member_id / 1024, journal_id, kind, at, array_agg((member_id %% 1024)::smallint ORDER BY member_id, leg),
      CASE WHEN max(leg) > 0 THEN array_agg(leg ORDER BY member_id, leg) END, array_agg(amount ORDER BY member_id, leg)
    FROM posting_%s WHERE kind IN ('passive', 'direct', 'master', 'binary') GROUP BY journal_id, kind, member_id / 1024, at
    ORDER BY journal_id, kind, member_id / 1024 $copy$, of_part);
  EXECUTE format($copy$
    INSERT INTO archived_posting SELECT member_id, journal_id, leg, kind, source, destination, amount, at
    FROM posting_%s WHERE kind NOT IN ('passive', 'direct', 'master', 'binary') ORDER BY journal_id, member_id, leg $copy$, of_part);
  -- Of each its own place in the other: as many, and none that is not there.
  EXECUTE format($same$
    WITH was AS (SELECT member_id, journal_id, leg, kind, source, destination, amount, at FROM posting_%1$s),
      kept AS (SELECT * FROM ledger_whole.archived WHERE journal_id >= %2$s AND journal_id < %3$s
        UNION ALL SELECT * FROM archived_posting WHERE journal_id >= %2$s AND journal_id < %3$s)
    SELECT (SELECT count(*) FROM (SELECT * FROM was EXCEPT ALL SELECT * FROM kept) lost) + abs((SELECT count(*) FROM kept) - (SELECT count(*) FROM was)) $same$,
    of_part, of_part * 131072, (of_part + 1) * 131072) INTO differing;
  IF differing <> 0 THEN
    RAISE EXCEPTION 'the archive of part % differs from it', of_part USING ERRCODE = 'check_violation', CONSTRAINT = 'archive_is_whole';
  END IF;
END $$;

-- Adds what the archived part paid to what the parts before it paid.
CREATE FUNCTION add_sealed_earnings(of_part bigint) RETURNS void LANGUAGE sql SET search_path = public, pg_temp AS $$
  WITH paid AS (
    SELECT member_id, coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0) AS passive, count(*) FILTER (WHERE kind = 'passive') AS passive_days,
      coalesce(sum(amount) FILTER (WHERE kind IN ('direct', 'master')), 0) AS commission,
      coalesce(sum(amount) FILTER (WHERE kind = 'binary'), 0) AS matched, 0 AS points
    FROM ledger_whole.archived WHERE journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072 GROUP BY member_id
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

-- Runs that are not paid although the part has one that stands on the same day or a later one: what is sealed is everything up to a day.
CREATE FUNCTION runs_before_seal(of_part bigint) RETURNS bigint LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT count(*) FROM payout_run WHERE state <> 'cancelled' AND (journal_id IS NULL OR journal_id >= (of_part + 1) * 131072)
    AND cutoff_at <= (SELECT max(cutoff_at) FROM payout_run WHERE kind <> 'direct' AND journal_id >= of_part * 131072 AND journal_id < (of_part + 1) * 131072)
$$;

-- Seals and archives the oldest part that is not, if it has been left behind, every run of its days is done, and its latest posting is dated
-- `keep` before the latest of all. Answers its number; null if there is nothing to seal, or money is being paid at the moment.
CREATE FUNCTION seal_ledger_part(keep interval, now timestamptz) RETURNS bigint LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  of_part bigint;
  latest timestamptz;
  sealed ledger_seal;
BEGIN
  LOCK TABLE ledger_seal IN SHARE ROW EXCLUSIVE MODE;
  of_part := (SELECT coalesce(max(part) + 1, 0) FROM ledger_seal);
  IF of_part >= ledger_part() OR EXISTS (SELECT FROM payout_run WHERE state IN ('released', 'posting'))
    OR runs_before_seal(of_part) > 0 THEN RETURN NULL; END IF;
  EXECUTE format('SELECT max(at) FROM posting_%s', of_part) INTO latest;
  IF latest > (SELECT max(at) FROM journal WHERE id > (SELECT max(id) FROM journal) - 1000) - keep THEN RETURN NULL; END IF;
  PERFORM archive_ledger_part(of_part);
  EXECUTE format('INSERT INTO ledger_seal_sum (part, kind, postings, amount) SELECT %s, kind, count(*), sum(amount) FROM posting_%1$s GROUP BY kind', of_part);
  PERFORM add_sealed_earnings(of_part);
  sealed := ROW(of_part, (of_part + 1) * 131072, now, archived_content_hash(of_part), sealed_earnings_hash(),
    coalesce((SELECT hash FROM ledger_seal WHERE part = of_part - 1), ''), '');
  sealed.hash := ledger_seal_hash(sealed);
  INSERT INTO ledger_seal SELECT sealed.*;
  -- The audit trail's head is signed: a chain of seals that somebody computed anew does not agree with it.
  PERFORM record_audit(now, NULL, 'ledger.seal', 'done', 'ledger_part:' || of_part, jsonb_build_object('hash', sealed.hash));
  EXECUTE format('DROP TABLE posting_%s', of_part);
  RETURN of_part;
END $$;

REVOKE ALL ON FUNCTION archive_ledger_part(bigint), add_sealed_earnings(bigint), seal_ledger_part(interval, timestamptz) FROM PUBLIC;
GRANT SELECT ON archived_posting, archived_payout, ledger_seal, ledger_seal_sum, sealed_earning TO aval_server;
GRANT USAGE ON SCHEMA ledger_open, ledger_whole TO aval_server;
GRANT SELECT ON ALL TABLES IN SCHEMA ledger_open TO aval_server;
GRANT SELECT ON ALL TABLES IN SCHEMA ledger_whole TO aval_server;
GRANT EXECUTE ON FUNCTION archived_content_hash(bigint), sealed_earnings_hash(), ledger_seal_hash(ledger_seal) TO aval_server;
