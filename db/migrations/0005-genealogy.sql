-- Genealogy: the sponsor tree, the binary tree, and a numbering of both that answers who stands below whom.

-- The sponsor tree, narrow so that walking it stays cheap. The root has no sponsor.
CREATE TABLE sponsorship (
  member_id bigint PRIMARY KEY,
  sponsor_id bigint,
  depth integer NOT NULL CHECK (depth >= 0),
  -- Whether this member's link is a master code; `master_code` has its history.
  is_master boolean NOT NULL DEFAULT false,
  -- The member's own: what the tree looked like on a day is read from this table alone.
  joined_at timestamptz NOT NULL DEFAULT '-infinity',
  CHECK ((sponsor_id IS NULL) = (depth = 0))
);
CREATE INDEX sponsorship_by_sponsor ON sponsorship (sponsor_id, member_id) INCLUDE (joined_at);

-- The binary tree. A chain is a longest run of children on one side; a member lies on one left and one right chain,
-- each named by its topmost member. New members are placed at the tail of a chain, found without walking.
CREATE TABLE placement (
  member_id bigint PRIMARY KEY,
  parent_id bigint,
  leg text CHECK (leg IN ('L', 'R')),
  left_chain bigint NOT NULL,
  right_chain bigint NOT NULL,
  -- Where this member wants new referrals.
  preference text NOT NULL DEFAULT 'weaker' CHECK (preference IN ('left', 'right', 'weaker')),
  left_referrals integer NOT NULL DEFAULT 0,
  right_referrals integer NOT NULL DEFAULT 0,
  CHECK ((parent_id IS NULL) = (leg IS NULL))
);
CREATE UNIQUE INDEX placement_one_child_a_leg ON placement (parent_id, leg);

CREATE TABLE placement_chain (
  head_id bigint NOT NULL,
  side text NOT NULL CHECK (side IN ('L', 'R')),
  tail_id bigint NOT NULL,
  PRIMARY KEY (head_id, side)
);

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
-- subtree is the positions from `enters` on, `sizes` of them. 0 stands for no member.
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
  -- The members at positions 32 * block and following.
  members integer[] NOT NULL,
  PRIMARY KEY (generation, tree, block)
);

-- Members who joined since: the positions of the nearest numbered member above, in both trees. Null before the first numbering.
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

GRANT SELECT, INSERT, UPDATE (is_master) ON sponsorship TO aval_server;
GRANT SELECT, INSERT, UPDATE ON placement, placement_chain TO aval_server;
GRANT SELECT, UPDATE ON downline_generation TO aval_server;
GRANT SELECT, INSERT, DELETE ON downline TO aval_server;
GRANT SELECT, INSERT, UPDATE, DELETE ON downline_recent TO aval_server;
GRANT EXECUTE ON FUNCTION downline_ancestor(text, bigint, integer) TO aval_server;
