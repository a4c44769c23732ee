-- The first block of a chain whose first block nobody can know beforehand, which is the development chain's: pinned by the first gateway
-- that met it. A node with another one is of another network (decision 090).
CREATE TABLE chain_genesis (
  network text PRIMARY KEY,
  block_id text NOT NULL CHECK (block_id ~ '^[0-9a-f]{64}$')
);

-- The nodes as the leading gateway finds them, for operators, the metrics and `GET /health/ready`. Their keys stand nowhere.
CREATE TABLE gateway_node (
  -- In the order of TRON_NODES, from 0.
  place smallint PRIMARY KEY,
  name text NOT NULL CHECK (length(name) <= 253),
  state text NOT NULL CHECK (state IN ('ok', 'away', 'rate_limited', 'over_budget', 'key_refused', 'other_network')),
  detail text NOT NULL CHECK (length(detail) <= 300),
  since timestamptz NOT NULL,
  -- Calls of this day, UTC, and how many a day it may be; null: as many as it takes.
  day date NOT NULL,
  calls bigint NOT NULL CHECK (calls >= 0),
  calls_per_day bigint,
  seen_at timestamptz NOT NULL
);

CREATE TRIGGER a_gateway_leads BEFORE INSERT OR UPDATE OR DELETE ON chain_genesis FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
CREATE TRIGGER a_gateway_leads BEFORE INSERT OR UPDATE OR DELETE ON gateway_node FOR EACH STATEMENT EXECUTE FUNCTION fence_gateway();
GRANT SELECT, INSERT ON chain_genesis TO aval_gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON gateway_node TO aval_gateway;
GRANT SELECT ON gateway_node TO aval_server;
