/** The environment of the journeys. */
export const DEMO_PASSWORD = 'demo-journeys-1'

/** What a product under test inherits from this machine. */
export function inherited(): Record<string, string | undefined> {
  return { ...process.env }
}
