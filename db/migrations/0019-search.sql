-- A search looks at many who are called alike: it finds their numbers in the index alone, without a visit to each member's row.
-- For that the index holds the columns that its expression is made of as well.
DROP INDEX member_by_username, member_by_first_word, member_by_second_word, member_by_third_word, member_by_fourth_word;
CREATE INDEX member_by_username ON member ((folded_name(username)) COLLATE "C") INCLUDE (id, username);
CREATE INDEX member_by_first_word ON member ((folded_word(first_name || ' ' || last_name, 1)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_second_word ON member ((folded_word(first_name || ' ' || last_name, 2)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_third_word ON member ((folded_word(first_name || ' ' || last_name, 3)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
CREATE INDEX member_by_fourth_word ON member ((folded_word(first_name || ' ' || last_name, 4)) COLLATE "C")
  INCLUDE (id, first_name, last_name);
