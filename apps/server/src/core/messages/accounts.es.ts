/** What the server says of profile, codes and passwords. The rest of the list is in `es.ts`. */
export const accounts = {
  // Refusals
  code_malformed: 'El código tiene siete dígitos.',
  wallet_invalid:
    'No es una dirección TRC20 a la que se pueda pagar. Revísala: empieza con T y tiene 34 caracteres.',
  image_invalid: 'No pudimos leer la imagen. Envía una en PNG, JPEG o WebP, de hasta 5 MB y 50 megapíxeles.',
  wallet_ours:
    'Esa dirección es de Aval y no de una billetera tuya. Usa la dirección de tu propia billetera.',
  code_expired: 'Ese código ya no sirve: se usó, venció o tuvo demasiados intentos. Pide uno nuevo.',
  code_wrong: 'El código no es correcto. Intentos restantes: {left}.',
  code_for_other: 'Ese código se pidió para otros datos. Pide uno nuevo para estos.',
  code_elsewhere: 'Ese código se pidió desde otra sesión u otro dispositivo. Pide uno nuevo aquí.',
  current_password_wrong: 'La contraseña actual no es correcta.',
  reset_refused: 'El código no es correcto o ya no sirve. Revisa tu correo o pide uno nuevo.',
  session_not_found: 'Esa sesión ya no está abierta.',
  link_invalid: 'Este enlace no es válido o ya venció.',
  cooling: 'Tu cuenta cambió hace poco. Por seguridad, no sale dinero antes del {until}.',
  account_locked:
    'Nos dijiste que alguien más entró a tu cuenta, así que no sale dinero de ella. Restablece tu contraseña para volver a usarla.',

  // Answers
  profile_saved: 'Guardamos tus cambios.',
  profile_code_sent_email:
    'Enviamos un código a {to}. Escríbelo para cambiar tu correo; hasta entonces nada cambia.',
  profile_code_sent_wallet:
    'Enviamos un código a {to}. Escríbelo para cambiar tu billetera; hasta entonces nada cambia.',
  profile_code_sent_both:
    'Enviamos un código a {to}. Escríbelo para cambiar tu correo y tu billetera; hasta entonces nada cambia.',
  password_saved: 'Tu contraseña cambió. Las demás sesiones se cerraron.',
  session_ended: 'La sesión se cerró.',
  sessions_ended: 'Cerramos las demás sesiones: {count}.',
  sessions_none_ended: 'No había otra sesión abierta.',
  reset_sent: 'Si ese correo está registrado, le enviamos un código para elegir otra contraseña.',
  password_was_reset: 'Tu contraseña cambió. Inicia sesión con la nueva.',
  not_me_done:
    'Cerramos todas las sesiones y detuvimos las salidas de dinero. Ahora restablece tu contraseña.',

  // How fields are called
  field_current_password: 'contraseña actual',
  field_otp: 'código',
} as const satisfies Record<string, string>
