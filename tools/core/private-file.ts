import { rename, writeFile } from 'node:fs/promises'

/** Whole or not at all, on the disk before it counts, readable by its owner alone. */
export async function writePrivate(file: string, content: unknown): Promise<void> {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file)
}
