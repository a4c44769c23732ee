import { useEffect, useRef } from 'react'
import { type Draft, keepDraft, keptDraft } from '../api/drafts.ts'

/**
 * Keeps what is typed into a form, and gives it back once when the form is there again.
 *
 * @param userId undefined while it is not known whose form this is
 * @param texts what stands in the fields that were changed; empty texts for those that were not
 * @param restore told what was kept, by field
 * @returns forgets it, once it was sent
 */
export function useDraft(
  form: string,
  userId: number | undefined,
  texts: Draft,
  restore: (kept: Draft) => void,
): () => void {
  const restored = useRef(false)
  const give = useRef(restore)
  give.current = restore
  const written = JSON.stringify(texts)

  useEffect(() => {
    if (userId === undefined) return
    if (restored.current) {
      keepDraft(form, userId, JSON.parse(written) as Draft, Date.now())
      return
    }
    restored.current = true
    const kept = keptDraft(form, userId, Date.now())
    if (Object.keys(kept).length > 0) give.current(kept)
  }, [form, userId, written])

  return () => {
    if (userId !== undefined) keepDraft(form, userId, {}, Date.now())
  }
}
