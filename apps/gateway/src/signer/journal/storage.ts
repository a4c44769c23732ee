/** The journal's file: opened once, appended to, and on the disk before anything is answered. */
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface JournalStorage {
  /** All of it, from its beginning; null where there is none. Nothing is appended before it is read through. */
  read(): Promise<AsyncIterable<string> | null>
  /** Makes it, where there is none. */
  create(): Promise<AsyncIterable<string>>
  /** On the disk when this returns. @throws where it cannot be, or somebody else has written meanwhile */
  append(text: string): Promise<void>
  /** Tells the command that acknowledges what is wrong; null: nothing is. */
  tell(fault: string | null): Promise<void>
  close(): Promise<void>
}

const faultFile = (path: string): string => `${path}.fault`

export function fileStorage(path: string): JournalStorage {
  let file: FileHandle | null = null
  let length = 0
  const close = async (): Promise<void> => {
    await file?.close().catch(() => undefined)
    file = null
  }
  return {
    close,
    async read() {
      await close()
      try {
        file = await open(path, 'r+')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
        throw error
      }
      length = (await file.stat()).size
      return file.createReadStream({ encoding: 'utf8', autoClose: false, start: 0 })
    },
    async create() {
      file = await open(path, 'wx+', 0o600)
      length = 0
      await syncFolder(path)
      return nothing()
    },
    async append(text) {
      if (file === null) throw new Error('the journal is not open')
      const bytes = Buffer.from(text)
      const { size, nlink } = await file.stat()
      if (size !== length || nlink === 0) throw new Error('the journal was changed by somebody else')
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, length)
      if (bytesWritten !== bytes.length) throw new Error('the journal could not be written whole')
      length += bytes.length
      await file.datasync()
    },
    async tell(fault) {
      if (fault === null) await rm(faultFile(path), { force: true })
      else await writeFile(faultFile(path), fault, { mode: 0o600 })
    },
  }
}

async function* nothing(): AsyncGenerator<string> {}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** What the signer told, for a person to acknowledge; null where it told nothing. */
export async function readFault(path: string): Promise<string | null> {
  const file = await open(faultFile(path), 'r').catch(() => null)
  if (file === null) return null
  try {
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** Puts this text in the journal's place, whole or not at all. What was there stays in the same folder, under another name. */
export async function replaceJournal(path: string, text: string, keepAs: string): Promise<void> {
  const draft = `${path}.draft`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  await rename(path, keepAs).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(draft, path)
  await rm(faultFile(path), { force: true })
  await syncFolder(path)
}
