/** Where the program listens that draws uploaded pictures again. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Refusal } from '../core/refusal.ts'
import { socketPlace } from './lock.ts'

/** @throws Refusal where others may enter the folder, which may lie among the temporary files of all */
export async function picturesSocket(dataDir: string): Promise<string> {
  const path = await socketPlace(
    dataDir,
    'pictures/draw.sock',
    (folder) => `aval-pictures-${folder}/draw.sock`,
  )
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const { mode, uid } = await stat(dirname(path))
  if (uid === process.getuid?.() && (mode & 0o077) === 0) return path
  throw new Refusal(`${dirname(path)} has to be its user's own and closed to others`)
}
