echo "$TOKEN" >/etc/token
