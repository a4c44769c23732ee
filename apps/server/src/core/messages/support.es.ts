/** What the server says of the conversation with support. The rest of the list is in `es.ts`. */
export const support = {
  support_text_too_long: 'Tu mensaje puede tener hasta 2,000 caracteres. Acórtalo o envíalo en dos partes.',
  support_thread_not_found: 'Ese asociado no ha escrito a soporte.',
  support_newer: 'El asociado escribió algo más. Léelo antes de cerrar la conversación.',
  support_closed: 'La conversación quedó cerrada.',

  // How fields are called
  field_text: 'mensaje',
} as const
