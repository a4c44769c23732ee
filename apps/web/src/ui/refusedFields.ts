import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { Failure } from '../api/failure.ts'

/**
 * Shows what the server says of a form's fields at those fields, and moves the focus to the first of them.
 *
 * @returns whether it said anything of them
 */
export function showRefusedFields<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  failure: Failure,
  options: { shouldSelect?: boolean } = {},
): boolean {
  const isField = (path: string): path is FieldPath<Values> => path in form.getValues()
  const refused = (failure.fields ?? []).flatMap(({ path, detail }) =>
    isField(path) ? [{ path, message: detail }] : [],
  )
  for (const { path, message } of refused) form.setError(path, { message })
  if (refused[0] !== undefined) form.setFocus(refused[0].path, options)
  return refused.length > 0
}
