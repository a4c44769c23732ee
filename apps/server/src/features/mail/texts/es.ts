/** Lo que dicen los mensajes, en español latinoamericano, de tú. Esta lista decide qué frases existen. */
export const es = {
  // Every message
  footer: 'Este mensaje es automático; no hace falta responderlo.',
  never_asks: 'Aval nunca te pide por correo, chat o teléfono tu contraseña ni tus códigos.',
  not_me: '¿No fuiste tú?',
  not_me_link: 'Asegurar mi cuenta',
  not_me_text:
    'Abre este enlace y confirma: cerramos todas tus sesiones y cancelamos los retiros que sigan en espera.',
  not_me_ignore: 'Ignora este mensaje: sin el código nada cambia. No se lo des a nadie.',
  not_me_password: 'Cambia tu contraseña cuanto antes.',
  device: '{browser} en {system}',
  device_unknown: 'Un dispositivo que no reconocemos',

  // What a message repeats
  fact_amount: 'Cantidad',
  fact_fee: 'Comisión de red',
  fact_arrives: 'Recibes',
  fact_wallet: 'Billetera',
  fact_new_wallet: 'Billetera nueva',
  fact_previous_wallet: 'Billetera anterior',
  fact_new_email: 'Correo nuevo',
  fact_previous_email: 'Correo anterior',
  fact_at: 'Fecha y hora',
  fact_device: 'Dispositivo',
  fact_ip: 'Dirección IP',
  fact_number: 'Retiro n.º',
  fact_txid: 'Transacción',
  fact_reason: 'Motivo',

  // Codes
  code_label: 'Tu código',
  code_terms: 'Vale 10 minutos y una sola vez.',
  code_terms_pair: 'Vale 10 minutos, una sola vez, y solo para esta cantidad y esta billetera.',
  code_terms_change: 'Vale 10 minutos, una sola vez, y solo para este cambio.',
  withdrawal_code_subject: 'Tu código para retirar',
  withdrawal_code_subject_amount: 'Tu código para retirar {amount}',
  withdrawal_code_title: 'Confirma tu retiro',
  withdrawal_code_text: 'Escribe este código en Aval para confirmar tu retiro.',
  withdrawal_code_check: 'Antes de usarlo, revisa que la billetera sea la tuya.',
  profile_code_subject_email: 'Tu código para cambiar de correo',
  profile_code_subject_wallet: 'Tu código para cambiar de billetera',
  profile_code_subject_both: 'Tu código para cambiar de correo y de billetera',
  profile_code_title: 'Confirma el cambio',
  profile_code_text_email: 'Escribe este código en Aval para cambiar el correo de tu cuenta.',
  profile_code_text_wallet: 'Escribe este código en Aval para cambiar la billetera a la que retiras.',
  profile_code_text_both:
    'Escribe este código en Aval para cambiar el correo de tu cuenta y la billetera a la que retiras.',
  password_reset_code_subject: 'Tu código para crear una contraseña nueva',
  password_reset_code_title: 'Crea una contraseña nueva',
  password_reset_code_text: 'Escribe este código en Aval y elige tu nueva contraseña.',
  password_reset_code_link: 'Elegir una contraseña nueva',

  // Withdrawals
  withdrawal_requested_subject: 'Recibimos tu retiro de {amount}',
  withdrawal_requested_title: 'Tu retiro está en revisión',
  withdrawal_requested_text:
    'Apartamos {amount} de tu cuenta. Lo revisamos y enviamos {arrives} a tu billetera en un plazo de 1 a 72 horas.',
  withdrawal_requested_cancel: 'Mientras siga en revisión, puedes cancelarlo en Mis retiros.',
  withdrawal_completed_subject: 'Tu retiro de {amount} está en tu billetera',
  withdrawal_completed_title: 'Retiro completado',
  withdrawal_completed_text: 'Enviamos {arrives} a tu billetera y la red ya confirmó la transferencia.',
  withdrawal_completed_link: 'Ver la transacción',
  withdrawal_refused_subject: 'No aprobamos tu retiro de {amount}',
  withdrawal_refused_title: 'Retiro no aprobado',
  withdrawal_refused_text:
    'No aprobamos tu retiro de {amount}. La cantidad completa está otra vez en tu cuenta.',
  withdrawal_failed_subject: 'Tu retiro de {amount} no se pudo completar',
  withdrawal_failed_title: 'Retiro no completado',
  withdrawal_failed_text:
    'La transferencia no se hizo y nada salió hacia tu billetera. La cantidad completa, {amount}, está otra vez en tu cuenta; puedes volver a pedir el retiro.',
  withdrawal_cancelled_subject: 'Tu retiro de {amount} quedó cancelado',
  withdrawal_cancelled_title: 'Retiro cancelado',
  withdrawal_cancelled_text:
    'Tu retiro de {amount} quedó cancelado. La cantidad completa está otra vez en tu cuenta.',

  // Security
  wallet_changed_subject: 'La billetera de tu cuenta cambió',
  wallet_changed_title: 'Billetera cambiada',
  wallet_changed_text: 'Desde ahora, tus retiros van a la billetera nueva.',
  email_changed_subject: 'El correo de tu cuenta cambió',
  email_changed_title: 'Correo cambiado',
  email_changed_text:
    'Desde ahora escribimos al correo nuevo. Este aviso es el último que llega a {previous}.',
  password_changed_subject: 'La contraseña de tu cuenta cambió',
  password_changed_title: 'Contraseña cambiada',
  password_changed_text: 'La contraseña de tu cuenta cambió, y cerramos las sesiones que estaban abiertas.',
  two_factor_on_subject: 'Activaste la verificación en dos pasos',
  two_factor_on_title: 'Verificación en dos pasos activada',
  two_factor_on_text: 'Desde ahora, para entrar y para retirar pedimos también un código de tu aplicación.',
  two_factor_off_subject: 'La verificación en dos pasos quedó desactivada',
  two_factor_off_title: 'Verificación en dos pasos desactivada',
  two_factor_off_text:
    'Tu cuenta ya no pide un código de tu aplicación. Ahora la protege solo tu contraseña.',
  two_factor_released_subject: 'Desactivamos tu verificación en dos pasos',
  two_factor_released_title: 'Verificación en dos pasos desactivada',
  two_factor_released_text:
    'Nos dijiste que perdiste tu teléfono y tus códigos de recuperación. Después de comprobar tu identidad, desactivamos la verificación en dos pasos y cerramos todas las sesiones. Inicia sesión con tu contraseña y vuelve a activarla.',
  recovery_codes_renewed_subject: 'Tienes códigos de recuperación nuevos',
  recovery_codes_renewed_title: 'Códigos de recuperación nuevos',
  recovery_codes_renewed_text: 'Creaste códigos de recuperación nuevos. Los anteriores ya no sirven.',
  signed_in_new_subject: 'Entraron a tu cuenta desde un dispositivo nuevo',
  signed_in_new_title: 'Inicio de sesión desde un dispositivo nuevo',
  signed_in_new_text: 'Alguien inició sesión en tu cuenta desde un dispositivo en el que no se había usado.',
  cools: 'Por seguridad, tu cuenta no puede hacer retiros antes del {date}.',

  // Support
  support_answer_subject: 'Respondimos tu mensaje a soporte',
  support_answer_title: 'Tu respuesta de soporte',
  support_answer_question: 'Tu mensaje',
  support_answer_link: 'Seguir en el chat',

  // Operators
  operator_alert_title: 'Aviso para operadores',

  // The outbox of the development network
  outbox_title: 'Correo',
  outbox_text: 'Aquí no sale ningún correo: cada mensaje se guarda como archivo.',
  outbox_empty: 'Todavía no hay mensajes. Llegan en cuanto alguien pide un código.',
  outbox_refresh: 'Actualizar',
  outbox_back: 'Todos los mensajes',
  outbox_to: 'Para',
  outbox_from: 'De',
  outbox_date: 'Fecha',
  outbox_id: 'Identificador',
  outbox_html: 'Como se ve',
  outbox_plain: 'Solo texto',
  outbox_count: 'Los {count} más recientes',
} as const
