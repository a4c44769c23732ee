/** The environment that a product under test inherits from this machine: not how a demo of the person's own is set up. */
export function inherited(): Record<string, string | undefined> {
  const { DEMO: _demo, DEMO_PASSWORD: _password, ...rest } = process.env
  return rest
}
