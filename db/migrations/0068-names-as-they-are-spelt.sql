-- Names of any number of words are found: indexes had the first four. And names are compared without what is not drawn, so that a
-- Persian name is found by who types no joiner, and without apostrophes, of which keyboards have two kinds and some people type none.
-- Indexes depend on the function and are made again; at a million members that takes some seconds each.
DROP INDEX member_by_username, member_by_first_word, member_by_second_word, member_by_third_word, member_by_fourth_word;

CREATE OR REPLACE FUNCTION folded_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT trim(regexp_replace(lower(regexp_replace(normalize(name, NFKD),
    '[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff''\u2018\u2019\u02bc\u02bb]', '', 'g')), '\s+', ' ', 'g'))
$$;

-- From the fifth word on: few people have so many, and the index has nobody else. Not in plain SQL, which would be computed for every
-- member where the planner takes that for cheap.
CREATE FUNCTION folded_later_words(name text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 10000 AS $$
BEGIN
  RETURN array_to_tsvector((string_to_array(public.folded_name(name), ' '))[5:]);
END $$;
-- Whoever writes a member computes the entry of the index.
GRANT EXECUTE ON FUNCTION folded_later_words(text), folded_name(text) TO aval_server, aval_ledger;

CREATE INDEX member_by_username ON member ((folded_name(username)) COLLATE "C") INCLUDE (id, username);
CREATE INDEX member_by_first_word ON member ((folded_word(first_name || ' ' || last_name, 1)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_second_word ON member ((folded_word(first_name || ' ' || last_name, 2)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_third_word ON member ((folded_word(first_name || ' ' || last_name, 3)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_fourth_word ON member ((folded_word(first_name || ' ' || last_name, 4)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_later_words ON member USING gin (folded_later_words(first_name || ' ' || last_name))
  WHERE folded_later_words(first_name || ' ' || last_name) <> '';
