/** Why nothing is signed or accepted until a person has acknowledged it, or until it is mended. */
export type JournalFault =
  | 'journal_unread'
  | 'journal_missing'
  | 'journal_damaged'
  | 'journal_behind'
  | 'journal_differs'
  | 'journal_of_other_keys'
  | 'journal_unwritable'
  | 'key_file_older'
  | 'key_file_differs'

/** For operators, and for the person at the signer's machine. */
export const FAULT_SENTENCES: Readonly<Record<JournalFault, string>> = {
  journal_unread: 'the journal is not read yet',
  journal_missing: 'the journal is missing',
  journal_damaged: 'the journal is damaged or cut',
  journal_behind: 'the journal ends before what the database remembers: it is a copy, or cut',
  journal_differs: 'the journal is not the one that the database remembers',
  journal_of_other_keys: 'the journal is of another key file',
  journal_unwritable: 'the journal cannot be written',
  key_file_older: 'the key file is older than one that was used',
  key_file_differs: 'the key file differs from the one that was used under its number',
}
