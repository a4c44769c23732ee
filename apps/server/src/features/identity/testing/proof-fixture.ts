import { createHash } from 'node:crypto'
import type { ProofOfWork, ProofRequest } from '@aval/contract'
import { beginsWithZeros } from '../sign-in/guesses.rules.ts'

/** What a client's work comes to. */
export function solve({ challenge, bits, parts }: ProofRequest): ProofOfWork {
  const solution = Array.from({ length: parts }, (_, part) => {
    const hashOf = (number: number) => createHash('sha256').update(`${challenge}:${part}:${number}`).digest()
    let number = 0
    while (!beginsWithZeros(hashOf(number), bits)) number += 1
    return number
  })
  return { challenge, solution }
}
