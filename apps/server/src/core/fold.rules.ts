/** Usernames and e-mails are compared in this form: the same letters in another case or composition are the same. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
