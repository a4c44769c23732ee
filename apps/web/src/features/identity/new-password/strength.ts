/** How hard a password is to guess, by zxcvbn and its list of common passwords: 0.5 MB, fetched when a new password is typed. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { dictionary, adjacencyGraphs as graphs } from '@zxcvbn-ts/language-common'
import type { Advice, Strength } from './newPassword.ts'

/** Longer ones are strong whatever follows, and would take a phone too long at every letter. */
const MOST_JUDGED = 64

const library = new ZxcvbnFactory({ dictionary, graphs, maxLength: MOST_JUDGED })

/** What the library's warnings come to. */
const ADVICE: Readonly<Record<string, Advice>> = {
  topTen: 'common',
  topHundred: 'common',
  common: 'common',
  similarToCommon: 'common',
  wordByItself: 'common',
  pwned: 'common',
  straightRow: 'keys',
  keyPattern: 'keys',
  simpleRepeat: 'repeat',
  extendedRepeat: 'repeat',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  namesByThemselves: 'personal',
  commonNames: 'personal',
  userInputs: 'personal',
}

/** @param known the username, the e-mail and names, which are guessed first */
export function judgePassword(password: string, known: readonly string[]): Strength {
  const words = [...known.filter((word) => word.length > 2), 'aval']
  const { score, feedback, sequence } = library.check(password, words)
  const level = Math.max(score, 1)
  if (level > 2) return { level, advice: null }
  const isPersonal = sequence.some((match) => match['dictionaryName'] === 'userInputs')
  return { level, advice: isPersonal ? 'personal' : (ADVICE[feedback.warning ?? ''] ?? 'longer') }
}
