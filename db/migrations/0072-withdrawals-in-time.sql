-- The approvals page says how long each withdrawal may still take (decision 095): by the company's clock, and not for frozen accounts.
GRANT SELECT ON demo_clock TO aval_approvals;
GRANT SELECT (member_id, id, frozen) ON member_freeze TO aval_approvals;
