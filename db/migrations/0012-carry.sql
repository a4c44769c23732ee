-- What a day carries in is a row a block, the latest before it: found without reading the days before that one.
CREATE INDEX binary_carry_latest ON binary_carry (block, period, run_id);
