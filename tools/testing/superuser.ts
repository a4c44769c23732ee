/** For journeys that change what the database itself refuses: the address of a running product's superuser. */
import { runningIn } from '../supervisor/run-file.ts'
import { readSecrets } from '../supervisor/secrets.ts'

export async function superuserUrl(dataDir: string): Promise<string> {
  const [{ databases }, { superuserPassword }] = await Promise.all([runningIn(dataDir), readSecrets(dataDir)])
  const url = new URL(databases.owner)
  url.username = 'postgres'
  url.password = superuserPassword
  return url.href
}
