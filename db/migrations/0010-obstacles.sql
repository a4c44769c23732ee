-- What keeps approved withdrawals from being paid, for operators: one row a withdrawal, and one (0, 0) for what holds up
-- all of them. The gateway writes it, looks again, and takes it away.

CREATE TABLE withdrawal_delay (
  member_id bigint NOT NULL,
  withdrawal_id bigint NOT NULL,
  -- A stable name.
  code text NOT NULL CHECK (code IN ('chain_unhealthy', 'nodes_disagree', 'token_paused', 'token_fee', 'hot_blacklisted', 'hot_usdt', 'hot_trx',
    'fee_limit', 'recipient_blacklisted', 'would_revert', 'signer_away', 'signer_refused', 'signer_cap')),
  -- For operators: what the node or the signer said.
  detail text NOT NULL DEFAULT '' CHECK (length(detail) <= 300),
  since timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, withdrawal_id)
);

GRANT SELECT ON withdrawal_delay TO aval_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON withdrawal_delay TO aval_chain;
