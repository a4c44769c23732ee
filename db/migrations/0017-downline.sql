-- Who stands below whom, how many and with how much, answered at once at any depth (decision 025).

-- When a member joined, beside the link: what the tree looked like on a day is asked of this table alone.
ALTER TABLE sponsorship ADD COLUMN joined_at timestamptz NOT NULL DEFAULT '-infinity';
UPDATE sponsorship s SET joined_at = m.joined_at FROM member m WHERE m.id = s.member_id;
DROP INDEX sponsorship_by_sponsor;
CREATE INDEX sponsorship_by_sponsor ON sponsorship (sponsor_id, member_id) INCLUDE (joined_at);

-- Which numbering of the trees is in force; 0: none yet.
CREATE TABLE downline_generation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  generation integer NOT NULL,
  members integer NOT NULL,
  -- The number of history as of which volumes were summed.
  as_of bigint NOT NULL,
  -- By the system's time.
  at timestamptz NOT NULL
);
INSERT INTO downline_generation (generation, members, as_of, at) VALUES (0, 0, 0, '-infinity');

-- A numbering, 32 members a row: the member `id` is in block id / 32, element id % 32 + 1 of each array but the last. A
-- subtree is the positions from `enters` on, `sizes` of them. 0 stands for nobody.
CREATE TABLE downline (
  generation integer NOT NULL,
  tree text NOT NULL CHECK (tree IN ('unilevel', 'binary')),
  block integer NOT NULL,
  enters integer[] NOT NULL,
  sizes integer[] NOT NULL,
  depths integer[] NOT NULL,
  -- A member above, far or near, from which any other above is reached in few steps.
  jumps integer[] NOT NULL,
  -- Principal of the subtree as of the generation's number of history.
  volumes bigint[] NOT NULL,
  -- Who has the positions 32 * block and following.
  members integer[] NOT NULL,
  PRIMARY KEY (generation, tree, block)
);

-- Who joined since: the positions of the nearest numbered member above, in both trees. Null before the first numbering.
CREATE TABLE downline_recent (
  member_id bigint PRIMARY KEY,
  sponsor_at integer,
  place_at integer,
  place_depth integer
);
CREATE INDEX downline_recent_by_sponsor ON downline_recent (sponsor_at);
CREATE INDEX downline_recent_by_place ON downline_recent (place_at);

-- The member `above` at a depth of the tree, or null; by jumps, so that a chain a million deep takes some forty steps.
CREATE FUNCTION downline_ancestor(of_tree text, of_member bigint, at_depth integer) RETURNS bigint
  LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
  here integer := of_member;
  far integer;
  far_depth integer;
  here_depth integer;
  current_generation integer := (SELECT generation FROM downline_generation);
BEGIN
  SELECT depths[here % 32 + 1], jumps[here % 32 + 1] INTO here_depth, far FROM downline
    WHERE generation = current_generation AND tree = of_tree AND block = here / 32 AND enters[here % 32 + 1] > 0;
  WHILE here_depth > at_depth LOOP
    SELECT depths[far % 32 + 1] INTO far_depth FROM downline
      WHERE generation = current_generation AND tree = of_tree AND block = far / 32;
    IF far_depth >= at_depth THEN
      here := far;
    ELSIF of_tree = 'unilevel' THEN
      here := (SELECT sponsor_id FROM sponsorship WHERE member_id = here);
    ELSE
      here := (SELECT parent_id FROM placement WHERE member_id = here);
    END IF;
    SELECT depths[here % 32 + 1], jumps[here % 32 + 1] INTO here_depth, far FROM downline
      WHERE generation = current_generation AND tree = of_tree AND block = here / 32;
  END LOOP;
  RETURN CASE WHEN here_depth = at_depth THEN here END;
END $$;

-- A name as it is searched for: without accents, in lower case. Text in text out, the same for ever: indexes stand on it.
CREATE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT trim(regexp_replace(lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g'))
$$;
CREATE FUNCTION folded_word(name text, number integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT split_part(public.folded_name(name), ' ', number)
$$;
-- By code point, whatever the database's own order is: a beginning is then a range.
CREATE INDEX member_by_username ON member ((folded_name(username)) COLLATE "C");
CREATE INDEX member_by_first_word ON member ((folded_word(first_name || ' ' || last_name, 1)) COLLATE "C");
CREATE INDEX member_by_second_word ON member ((folded_word(first_name || ' ' || last_name, 2)) COLLATE "C");
CREATE INDEX member_by_third_word ON member ((folded_word(first_name || ' ' || last_name, 3)) COLLATE "C");
CREATE INDEX member_by_fourth_word ON member ((folded_word(first_name || ' ' || last_name, 4)) COLLATE "C");

GRANT SELECT, UPDATE ON downline_generation TO aval_app;
GRANT SELECT, INSERT, DELETE ON downline TO aval_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON downline_recent TO aval_app;
