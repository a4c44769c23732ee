/** The tools need the Node that npm installed beside them; started by an older one, they continue under it. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const needed = 24

/** Returns only under the right Node. */
export function continueWithOwnNode(): void {
  if (Number.parseInt(process.versions.node, 10) >= needed) return
  const own = join(import.meta.dirname, '..', 'node_modules', 'node', 'bin', 'node')
  const result = spawnSync(own, process.argv.slice(1), { stdio: 'inherit' })
  if (result.error) {
    console.error(`Node ${needed} is needed and ${own} is missing: start with "npm start".`)
    process.exit(1)
  }
  process.exit(result.status ?? 1)
}
