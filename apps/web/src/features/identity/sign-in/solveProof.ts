import type { ProofOfWork, ProofRequest } from '@aval/contract'
import { scriptUrl } from '../../../api/scriptUrl.ts'
import workerUrl from './proof.worker.ts?worker&url'

/** Null where it could not be solved. */
export function solveProof(request: ProofRequest): Promise<ProofOfWork | null> {
  return new Promise((resolve) => {
    const worker = new Worker(scriptUrl(workerUrl), { type: 'module' })
    const finish = (proof: ProofOfWork | null) => {
      worker.terminate()
      resolve(proof)
    }
    worker.onmessage = (message: MessageEvent<ProofOfWork | null>) => finish(message.data)
    worker.onerror = () => finish(null)
    worker.postMessage(request)
  })
}
