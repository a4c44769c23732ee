/** Whether a text looks like a recovery code, as it is copied: ten letters and digits in two groups, at least one a letter. */
export function isRecoveryCode(text: string): boolean {
  return /^[a-z\d]{5}[\s-]?[a-z\d]{5}$/i.test(text) && /[a-z]/i.test(text)
}
