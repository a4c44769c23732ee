/** Journals for tests: in memory, or on a disk of the test's own. */
import { createJournal, hashOf, type Identity } from '../journal/journal.ts'
import type { JournalStorage } from '../journal/storage.ts'

/** What a journal's file would hold; `text` may be changed between two openings. */
export function memoryStorage() {
  const kept = { text: null as string | null, fault: null as string | null, fails: false }
  const storage: JournalStorage = {
    read: async () => (kept.text === null ? null : chunksOf(kept.text)),
    async create() {
      kept.text = ''
      return chunksOf('')
    },
    async append(text) {
      if (kept.fails) throw new Error('the disk is full')
      kept.text += text
    },
    async tell(fault) {
      kept.fault = fault
    },
    close: async () => undefined,
  }
  return { kept, storage }
}

/** In parts that end anywhere, as a file is read. */
async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 1_000) yield text.slice(at, at + 1_000)
}

export const IDENTITY: Identity = { network: 'devnet', hot: 'T', version: 0, policy: hashOf('') }

/** A journal in memory, open. */
export async function openMemoryJournal(identity = IDENTITY) {
  const { kept, storage } = memoryStorage()
  const journal = createJournal(storage)
  await journal.open({ sequence: 0, hash: '' }, identity, 0)
  return { journal, kept, storage }
}
