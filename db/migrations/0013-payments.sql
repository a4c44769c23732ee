-- What came to nothing lately is left alone for a while, and found without reading all payments there ever were.
CREATE INDEX chain_payment_given_up ON chain_payment (closed_at) WHERE state IN ('failed', 'dead');
