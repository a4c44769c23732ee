import type { ProofRequest } from '@aval/contract'
import { solve } from './proofOfWork.ts'

/** Works away from the page, so that it stays smooth. Answers with the solution, or null. */
self.onmessage = (message: MessageEvent<ProofRequest>) => {
  self.postMessage(solve(message.data))
}
