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
