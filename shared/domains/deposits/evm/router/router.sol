// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

interface Token {
    function balanceOf(address holder) external view returns (uint256);
}

/// Pays the recipient and logs for whom: the reference that the payer gives. It keeps nothing, has
/// no owner, and nothing of it can be changed, so a payment either arrives or is undone. Tokens that
/// somebody transfers here without a call stay until anybody sweeps them.
contract DepositRouter {
    /// Who is paid. Constant from the day it is made.
    address payable public immutable recipient;

    /// 1, or 2 while a call runs. A payment within a payment could be counted in both.
    uint256 private running = 1;

    /// `token` is zero for the coin of the network. `amount` is what the recipient got.
    event Deposited(bytes32 indexed ref, address indexed payer, address indexed token, uint256 amount);

    error NothingPaid();
    error NotPaidOn();
    error WithinACall();

    constructor(address payable to) {
        if (to == address(0)) revert NotPaidOn();
        recipient = to;
    }

    modifier alone() {
        if (running != 1) revert WithinACall();
        running = 2;
        _;
        running = 1;
    }

    /// Pays the coin that is sent along.
    function deposit(bytes32 ref) external payable alone {
        if (msg.value == 0) revert NothingPaid();
        (bool paid,) = recipient.call{value: msg.value}("");
        if (!paid) revert NotPaidOn();
        emit Deposited(ref, msg.sender, address(0), msg.value);
    }

    /// Pays a token, of which the payer has approved at least `amount` for this contract. It goes
    /// to the recipient without a stop here; of a token that takes a fee, what arrives is logged.
    function depositToken(address token, uint256 amount, bytes32 ref) external alone {
        uint256 before = Token(token).balanceOf(recipient);
        // Some tokens answer nothing, and an address without code takes any call.
        (bool done, bytes memory answer) =
            token.call(abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, recipient, amount));
        if (!done || (answer.length > 0 && !abi.decode(answer, (bool)))) revert NotPaidOn();
        uint256 got = Token(token).balanceOf(recipient) - before;
        if (got == 0) revert NothingPaid();
        emit Deposited(ref, msg.sender, token, got);
    }

    /// Pays the recipient what is here of a token. Anybody may call it; nothing is logged for anybody.
    function sweep(address token) external alone {
        uint256 held = Token(token).balanceOf(address(this));
        if (held == 0) revert NothingPaid();
        (bool done, bytes memory answer) =
            token.call(abi.encodeWithSignature("transfer(address,uint256)", recipient, held));
        if (!done || (answer.length > 0 && !abi.decode(answer, (bool)))) revert NotPaidOn();
    }
}
