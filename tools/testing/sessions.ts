/** Sessions of the running product, as if time had passed. */
import pg from 'pg'
import { superuserUrl } from './superuser.ts'

/** The session that an access token belongs to began, and was used last, so many minutes ago. */
export async function ageSession(
  dataDir: string,
  access: string,
  minutes: { readonly started: number; readonly acted: number },
): Promise<void> {
  const { sid } = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as {
    sid: string
  }
  const superuser = new pg.Client({ connectionString: await superuserUrl(dataDir) })
  await superuser.connect()
  try {
    await superuser.query(
      `UPDATE session SET started_at = now() - make_interval(mins => $2), acted_at = now() - make_interval(mins => $3)
       WHERE id = $1`,
      [sid, minutes.started, minutes.acted],
    )
  } finally {
    await superuser.end()
  }
}
