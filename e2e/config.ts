/** The environment that a product under test inherits from this machine. */
export function inherited(): Record<string, string | undefined> {
  return { ...process.env }
}
