-- What came to nothing lately is left alone for a while, and found without reading all payments there ever were.
CREATE INDEX outgoing_transfer_given_up ON outgoing_transfer (closed_at) WHERE state IN ('failed', 'expired');
