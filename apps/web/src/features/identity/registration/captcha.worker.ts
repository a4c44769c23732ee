import type { Challenge } from 'altcha-lib'
import { solveChallenge } from 'altcha-lib'
import { deriveKey as derivePbkdf2 } from 'altcha-lib/algorithms/web/pbkdf2'
import { deriveKey as deriveSha } from 'altcha-lib/algorithms/web/sha'

/** Solves a proof of work away from the page, so that typing stays smooth. Answers with the solution, or null. */
self.onmessage = async (message: MessageEvent<Challenge>) => {
  const challenge = message.data
  const deriveKey = challenge.parameters.algorithm.startsWith('PBKDF2/') ? derivePbkdf2 : deriveSha
  try {
    self.postMessage(await solveChallenge({ challenge, deriveKey }))
  } catch {
    self.postMessage(null)
  }
}
